"""XML of laws: German federal laws, Akoma Ntoso and Formex, each by the structure it gives."""
