// pdfjs-dist warns when these are missing. The server only counts the pages of a PDF, so it never calls them.
exports.DOMMatrix = class DOMMatrix {};
exports.Path2D = class Path2D {};
