// The kernel part is only loaded when this file exists; the user interface finds nothing to do here.
