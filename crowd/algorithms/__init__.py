"""What the crowd stage computes; it knows no Django."""
