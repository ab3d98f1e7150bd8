package diag

var jsonDocs = []Doc{}
