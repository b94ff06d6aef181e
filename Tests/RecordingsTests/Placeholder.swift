// The recordings are tested from outside, in Tests/Programs/test_recordings.py.
