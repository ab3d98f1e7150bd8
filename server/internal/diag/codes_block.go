package diag

var blockDocs = []Doc{}
