"""Attribution review, what people say of an answer's claims: the rules of the work."""
