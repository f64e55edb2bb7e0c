"""What stands between the network and the app: who is let in, what is taken, what is given out."""
