import { type ComponentProps, useEffect, useRef } from 'react';

/** `bar` is above `footer`, at the foot of the window. */
type Edge = 'header' | 'bar' | 'footer';

interface Props extends ComponentProps<'div'> {
  edge: Edge;
  as?: 'div' | 'header' | 'section';
  /** False while it scrolls with the page. */
  isStuck?: boolean;
}

/**
 * Stays in view at an edge of the window, unless the window is low. Publishes its height as `--header-height`,
 * `--bar-height` or `--footer-height`, from which `base.css` keeps what has the focus out from under it.
 */
export function Sticky({ edge, as: Element = 'div', isStuck = true, className = '', ...props }: Props) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!element.current || !isStuck) return;
    const observer = new ResizeObserver(() => publishHeight(edge));
    observer.observe(element.current, { box: 'border-box' });
    return () => {
      observer.disconnect();
      publishHeight(edge);
    };
  }, [edge, isStuck]);
  return (
    <Element
      ref={element}
      data-stuck={isStuck ? edge : undefined}
      className={`sticky-${edge} ${className}`}
      {...props}
    />
  );
}

/** Sets the property of an edge to the height of the highest element there; without any, the default applies. */
function publishHeight(edge: Edge) {
  const elements = document.querySelectorAll<HTMLElement>(`[data-stuck="${edge}"]`);
  const height = Math.max(0, ...Array.from(elements, ({ offsetHeight }) => offsetHeight));
  const { style } = document.documentElement;
  const property = `--${edge}-height`;
  if (elements.length === 0) style.removeProperty(property);
  else if (getComputedStyle(document.documentElement).getPropertyValue(property) !== `${height}px`)
    style.setProperty(property, `${height}px`);
}
