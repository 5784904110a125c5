"""Learning to tell second layers of checkers from drawn ones: `samples`, then `learn`.

What `vision/second_layers.npz` holds was learned in ten epochs from 2400 boards (57 600 rows): fifty of each of the
seeds 1001 to 1029, 2001 to 2012, 201 to 205, 301 and 302, in this order.
"""
