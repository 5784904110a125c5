"""Trains the networks that detect stacked checkers, on rendered pictures: run `samples`, then `learn`.

The weights in `vision/backgammon/stacking/second_layers.npz` were trained in ten epochs on 2400 boards (57 600 rows):
fifty boards of each of the seeds 1001 to 1029, 2001 to 2012, 201 to 205, 301 and 302, in this order.
"""
