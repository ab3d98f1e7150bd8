package diag

var bundleDocs = []Doc{}
