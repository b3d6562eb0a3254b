/** Messages that concern the whole school, above every page. None of them is due yet. */
export function Banners() {
  return null;
}
