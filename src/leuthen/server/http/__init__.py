"""What answers over HTTP: the application, its routes, what it sends."""
