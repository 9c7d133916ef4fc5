"""Read by alembic: runs the steps on the connection that ``pincite.migrations.upgrade`` put into the configuration."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
with context.begin_transaction():
    context.run_migrations()
