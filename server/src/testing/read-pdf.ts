import { definePDFJSModule, extractText, getDocumentProxy } from 'unpdf';

// The product reads previews with the same PDF.js: two versions of it in one process conflict.
await definePDFJSModule(() => import('pdfjs-dist/legacy/build/pdf.mjs'));

export { extractText, getDocumentProxy };

type Node = { role: string; alt?: string; children: Node[] } | { type: 'content' | 'object'; id: string };

/** PDF.js types its maps as objects. */
const hasFlag = (map: unknown, name: string): boolean => map instanceof Map && map.get(name) === true;

/** The elements of a tagged PDF in reading order, and the texts that no element contains. */
export async function readStructure(bytes: Uint8Array) {
  const pdf = await getDocumentProxy(bytes);
  const elements: { role: string; path: string; text: string; alt: string | undefined; cells: number }[] = [];
  const decoration: string[] = [];
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const page = await pdf.getPage(number);
    const texts = new Map<string, string>();
    const open: string[] = [];
    for (const item of (await page.getTextContent({ includeMarkedContent: true })).items)
      if ('str' in item) {
        const id = open.at(-1) ?? 'none';
        if (id === 'none') decoration.push(item.str);
        else texts.set(id, (texts.get(id) ?? '') + item.str + (item.hasEOL ? ' ' : ''));
      } else if (item.type === 'endMarkedContent') open.pop();
      else open.push('id' in item && item.id ? item.id : 'none');
    const textOf = (node: Node): string =>
      'role' in node ? node.children.map(textOf).join('') : (texts.get(node.id) ?? '');
    const visit = (node: Node, path: string): void => {
      if (!('role' in node)) return;
      const { role, alt, children } = node;
      elements.push({ role, path, text: textOf(node).trim(), alt, cells: children.length });
      for (const child of children) visit(child, `${path} ${role}`.trim());
    };
    const root = (await page.getStructTree()) as Node | null;
    if (root) visit(root, '');
  }
  const { info } = await pdf.getMetadata();
  return {
    elements,
    decoration: decoration.filter((text) => text.trim() !== ''),
    isMarked: hasFlag(await pdf.getMarkInfo(), 'Marked'),
    showsTitle: hasFlag(await pdf.getViewerPreferences(), 'DisplayDocTitle'),
    ...(info as { Title: string; Language: string }),
  };
}
