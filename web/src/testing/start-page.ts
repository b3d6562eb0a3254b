// The files of a worker share a window, which the one before may have left at another path and with elements.
if (typeof window !== 'undefined') {
  window.history.replaceState(null, '', '/');
  document.body.replaceChildren();
}
