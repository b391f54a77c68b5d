"""Seeing why: time travel, decisions, reasons, the chain behind a makespan, differences and findings."""
