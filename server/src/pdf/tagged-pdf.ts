import PDFDocument from 'pdfkit';

type Element = PDFKit.PDFStructureElement;

/** Standard structure types of PDF 1.7 that the documents use. */
type LeafType = 'H1' | 'H2' | 'H3' | 'P' | 'Span' | 'Lbl' | 'TH' | 'TD' | 'Figure' | 'Link' | 'Form';
type SectionType = 'Sect' | 'P' | 'L' | 'LI' | 'LBody' | 'Table' | 'TR' | 'TH' | 'TD' | 'TOC' | 'TOCI';

interface ElementOptions {
  /** The text that replaces a figure, or describes a link. */
  alt?: string;
  /** The text as it is read, where its lines break inside words. */
  actual?: string;
  /** The cells that a TH is the header of. */
  scope?: 'Row' | 'Column';
  /** Left, top, right and bottom of a figure on its page, in points. */
  bbox?: [number, number, number, number];
}

/**
 * A PDF with the structure that screen readers read, in the order in which elements are added.
 * Everything outside an element is decoration.
 */
export class TaggedPdf extends PDFDocument {
  /** No values: the constructor has already added a page. */
  private parent: Element | undefined;
  private leaf: { element: Element; alt: string } | undefined;

  private get isTagged(): boolean {
    return this.options.tagged === true;
  }

  /** Adds an element with everything that `draw` draws. Elements of this kind cannot contain each other; see `section`. */
  tag(type: LeafType, draw: () => void, options: ElementOptions = {}): void {
    if (!this.isTagged) {
      draw();
      return;
    }
    const element = this.struct(type, options);
    this.getParent().add(element);
    this.endMarkedContent();
    this.leaf = { element, alt: options.alt ?? '' };
    element.add(draw);
    this.leaf = undefined;
    element.end();
    this.markContent('Artifact');
  }

  /** Adds an element that contains the elements which `draw` adds. Returns it, for `addTo`. */
  section(type: SectionType, draw: () => void = () => {}, options: ElementOptions = {}): Element | undefined {
    if (!this.isTagged) {
      draw();
      return undefined;
    }
    const element = this.struct(type, options);
    this.getParent().add(element);
    this.addTo(element, draw);
    return element;
  }

  /** Adds an item to the list that is being added. */
  item(draw: () => void): void {
    this.section('LI', () => this.section('LBody', draw));
  }

  /** Adds the elements of `draw` to a section that exists, so that reading order can differ from drawing order. */
  addTo(section: Element | undefined, draw: () => void): void {
    const { parent } = this;
    this.parent = section;
    draw();
    this.parent = parent;
  }

  override addPage(options?: PDFKit.PDFDocumentOptions): this {
    super.addPage(options);
    if (this.isTagged && !this.leaf) this.markContent('Artifact');
    return this;
  }

  /** Links and fields belong to the element that is being added. */
  override annotate(x: number, y: number, width: number, height: number, options: object): this {
    if (!this.leaf) return super.annotate(x, y, width, height, options);
    const { element, alt } = this.leaf;
    const description = alt === '' ? {} : { Contents: new String(alt) };
    return super.annotate(x, y, width, height, { ...options, ...description, structParent: element } as never);
  }

  /** The library writes the values into XML as they are. */
  override endMetadata(): void {
    const escape = (value: unknown) =>
      typeof value === 'string' ? value.replaceAll('&', '&amp;').replaceAll('<', '&lt;') : value;
    const escaped = Object.entries(this.info).map(([name, value]) => [name, escape(value)]);
    Object.assign(this.info, Object.fromEntries(escaped));
    super.endMetadata();
  }

  private getParent(): Element {
    if (!this.parent) {
      this.parent = this.struct('Document');
      this.addStructure(this.parent);
    }
    return this.parent;
  }
}
