"""Front-end parts that several screens share."""
