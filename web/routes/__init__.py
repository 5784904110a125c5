"""The page's URLs: one blueprint for each subject."""
