"""Attribution: claims of answers, their labels by models and people, and the figures of both."""
