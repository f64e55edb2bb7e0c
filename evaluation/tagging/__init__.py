"""Agreement of people, and accuracy of models, on sub-factors of court cases."""
