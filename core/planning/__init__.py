"""What is computed before a run: stage estimates and job orders; numpy only, knows no engine."""
