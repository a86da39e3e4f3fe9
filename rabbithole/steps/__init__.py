"""The steps of research and answering, without any workflow: phases, reasoners, selection, writing and checks."""
