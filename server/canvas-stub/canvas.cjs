// pdfjs-dist warns when these are missing. The server only counts the pages of a PDF, so it never calls them.
exports.DOMMatrix = Object;
exports.Path2D = Object;
