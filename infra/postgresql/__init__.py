"""Django's PostgreSQL backend, which starts the embedded server when it is first needed."""
