"""Attribution review: people's judgments of an answer's claims."""
