"""What those who run the site ask of it: is it ready, how is it doing, what is wrong, keep it."""
