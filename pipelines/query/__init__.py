"""What is asked: question or statement, its bounds, filters, and what the index covers of them."""
