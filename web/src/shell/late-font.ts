/**
 * Shows the font from now on if it arrived too late for the first screen, where it would have moved lines. Call it when
 * another screen replaces the first.
 */
export function showLateFont(): void {
  if (document.adoptedStyleSheets.length > 0) return;
  const faces = [...document.styleSheets]
    .flatMap(({ cssRules }) => [...cssRules])
    .filter((rule) => rule instanceof CSSFontFaceRule)
    .map(({ cssText }) => cssText)
    .filter((face) => face.includes('optional'));
  // A copy of the faces: a browser that has given up an optional face does not take it back.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(faces.join('\n').replaceAll('optional', 'swap'));
  document.adoptedStyleSheets = [sheet];
}
