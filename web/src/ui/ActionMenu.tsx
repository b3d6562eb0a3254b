import { IconChevronDown, IconDots } from '@tabler/icons-react';
import { useLayoutEffect, useRef, type ReactNode } from 'react';
import { Link } from './Link.tsx';
import css from './ActionMenu.module.css';
import { Popover } from './Popover.tsx';

interface Props {
  /** What the actions are of, for screen readers: `Actions for Dilys Okoro`. */
  label: string;
  /** What the button shows; without it three dots. */
  text?: string;
  /** MenuLinks and MenuButtons. */
  children: ReactNode;
}

/** A button that opens a few actions below it. */
export function ActionMenu({ label, text, children }: Props) {
  return (
    <Popover
      className={`${css.menu} no-print`}
      button={(ref) => (
        <summary ref={ref} aria-label={label} data-text={text !== undefined || undefined}>
          {text}
          {text === undefined ? <IconDots size={20} aria-hidden /> : <IconChevronDown size={18} aria-hidden />}
        </summary>
      )}
    >
      {(popover) => <Items {...popover}>{children}</Items>}
    </Popover>
  );
}

/** Opens the actions upwards at the foot of the window. */
export function placeItems(items: HTMLElement): void {
  const { bottom, height } = items.getBoundingClientRect();
  const above = items.parentElement?.getBoundingClientRect().top ?? 0;
  items.toggleAttribute('data-above', bottom > window.innerHeight && above > height);
}

function Items({ isOpen, close, children }: { isOpen: boolean; close: () => void; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const items = box.current;
    if (!isOpen || !items) return;
    placeItems(items);
    return () => items.removeAttribute('data-above');
  }, [isOpen]);
  return (
    // A press on one of the actions, by mouse or by keyboard, is a click that rises to here: the focus is on the button
    // again before what the action shows takes it.
    <div ref={box} className={`raised ${css.items}`} role="presentation" onClick={close}>
      {children}
    </div>
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

/** An option of the actions below it. Ticking it leaves the menu open. */
export const MenuCheckbox = ({
  label,
  isTicked,
  onChange,
}: {
  label: string;
  isTicked: boolean;
  onChange: (isTicked: boolean) => void;
}) => (
  <label onClick={(event) => event.stopPropagation()}>
    <input type="checkbox" checked={isTicked} onChange={(event) => onChange(event.currentTarget.checked)} />
    {label}
  </label>
);
