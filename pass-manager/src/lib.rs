//! A graph of compiler passes: order, tracing, reports and dumps.
