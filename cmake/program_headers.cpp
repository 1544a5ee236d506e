// Nothing but the target whose precompiled headers viewer, claims and command line share: theirs have definitions of their
// own, with which GCC would refuse them elsewhere.
