import { IconChevronDown, IconDots } from '@tabler/icons-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Link } from 'react-router';
import css from './ActionMenu.module.css';

interface Props {
  /** What the actions are of, for screen readers: `Actions for Dilys Okoro`. */
  label: string;
  /** What the button shows; without it three dots. */
  text?: string;
  /** MenuLinks and MenuButtons. */
  children: ReactNode;
}

/** A button that opens a few actions below it. A `details` element: it opens and its links work before any script does. */
export function ActionMenu({ label, text, children }: Props) {
  const root = useRef<HTMLDetailsElement>(null);
  const items = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);

  useEffect(() => {
    const menu = root.current;
    if (!isOpen || !menu) return;
    const close = (event: Event) => {
      if (!(event.target instanceof Node && menu.contains(event.target))) menu.open = false;
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      menu.open = false;
      menu.querySelector('summary')?.focus();
    };
    document.addEventListener('pointerdown', close);
    document.addEventListener('focusin', close);
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('pointerdown', close);
      document.removeEventListener('focusin', close);
      document.removeEventListener('keydown', onKey);
    };
  }, [isOpen]);

  // At the foot of the window the actions open upwards.
  const place = () => {
    const [menu, box] = [root.current, items.current];
    if (!menu || !box) return;
    setOpen(menu.open);
    delete box.dataset.above;
    const isOutside = menu.open && box.getBoundingClientRect().bottom > window.innerHeight;
    if (isOutside && menu.getBoundingClientRect().top > box.offsetHeight) box.dataset.above = '';
  };
  // Before what the action shows takes the focus, so that it comes back here.
  const choose = () => {
    root.current?.querySelector('summary')?.focus({ preventScroll: true });
    if (root.current) root.current.open = false;
  };

  return (
    <details ref={root} className={css.menu} onToggle={place}>
      <summary aria-label={label} data-text={text !== undefined || undefined}>
        {text}
        {text === undefined ? <IconDots size={20} aria-hidden /> : <IconChevronDown size={18} aria-hidden />}
      </summary>
      {/* A press on one of the actions, by mouse or by keyboard, is a click that rises to here. */}
      <div ref={items} className={css.items} role="presentation" onClick={choose}>
        {children}
      </div>
    </details>
  );
}

interface ItemProps {
  /** The whole action where the text alone would not say whose it is: `Delete Dilys Okoro`. */
  label?: string | undefined;
  children: ReactNode;
}

export const MenuLink = ({ to, label, children }: ItemProps & { to: string }) => (
  <Link to={to} aria-label={label}>
    {children}
  </Link>
);

/** `disabledReason`: why it cannot be done now; it stands below the action. */
export const MenuButton = ({
  onClick,
  label,
  disabledReason,
  children,
}: ItemProps & { onClick: () => void; disabledReason?: string | undefined }) => (
  <button
    type="button"
    aria-label={label && (disabledReason ? `${label}: ${disabledReason}` : label)}
    aria-disabled={disabledReason ? true : undefined}
    onClick={disabledReason ? (event) => event.stopPropagation() : onClick}
  >
    {children}
    {disabledReason && <small>{disabledReason}</small>}
  </button>
);
