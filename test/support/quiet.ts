// Faults are provoked all the time here; what the product logs about them is looked at where it matters.
process.env.POWERTOOLS_LOG_LEVEL ??= "SILENT";
