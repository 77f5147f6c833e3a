"""Pictures of robots and worlds: in a browser, as one HTML file, as PNG."""
