"""Pictures of how numbers are spread: histograms of workloads, fitted distributions of durations."""
