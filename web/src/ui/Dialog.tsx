import {
  createContext,
  type ReactNode,
  type SyntheticEvent,
  useContext,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { createPortal } from 'react-dom';
import { useOpenWork } from '../shared/unsaved-work.ts';
import { useBrowserValue } from '../shared/use-browser-value.ts';
import { CloseButton } from './Button.tsx';
import css from './Dialog.module.css';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { PartFailure } from './PartFailure.tsx';
import { DialogStatusRegion } from './StatusRegion.tsx';
import { rememberFocus } from './return-focus.ts';
import { getTopDialog, openOnTop } from './top-dialog.ts';

interface Props {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  size?: 'sm' | 'md' | 'lg' | 'xl';
  /** False where it may only be left by its own buttons. */
  canClose?: boolean;
  /** Hangs from the top, where its height changes while it is used. */
  isHanging?: boolean;
}

const HoldOpen = createContext<((isHeld: boolean) => void) | null>(null);

/** While `isHeld`, the dialog around this component cannot be closed: its work would fail unseen. */
export function useHoldOpen(isHeld: boolean): void {
  const hold = useContext(HoldOpen);
  useLayoutEffect(() => {
    hold?.(isHeld);
    return () => hold?.(false);
  }, [hold, isHeld]);
}

/** A modal dialog: holds the focus, gives it back, closes with Escape. */
export function Dialog(props: Props) {
  // The server cannot render into the body.
  const isInBrowser = useBrowserValue(() => true, false);
  return props.isOpen && isInBrowser && createPortal(<OpenDialog {...props} />, document.body);
}

const FIRST_FIELD = ':is(input, select, textarea):not(:disabled, [type="hidden"], [type="radio"]:not(:checked))';

/** Events of a dialog that was opened inside this one bubble to this one. */
const isOwn = ({ target, currentTarget }: SyntheticEvent): boolean => target === currentTarget;

function OpenDialog({ onClose, title, children, size = 'md', canClose = true, isHanging = false }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const giveBack = useRef<() => void>(undefined);
  const wasPressedOutside = useRef(false);
  const [isHeld, setHeld] = useState(false);
  const isClosable = canClose && !isHeld;
  const id = useId();
  useOpenWork(true);
  useLayoutEffect(() => {
    const { current } = dialog;
    if (!current) return;
    giveBack.current ??= rememberFocus();
    const close = openOnTop(current);
    const first = current.querySelector('[data-autofocus]') ?? current.querySelector(FIRST_FIELD);
    if (first instanceof HTMLElement) first.focus({ preventScroll: true });
    return close;
  }, []);
  // Once the dialog is removed, and the focused element in it.
  useEffect(() => () => giveBack.current?.(), []);

  const close = () => isClosable && onClose();
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return;
    if (getTopDialog() !== dialog.current) return;
    // Browsers close a dialog at the second Escape, whatever it answered to the first.
    event.preventDefault();
    close();
  });
  // The focus may be on the body, because the focused element has gone.
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
  const onCancel = (event: SyntheticEvent) => {
    if (!isOwn(event)) return;
    event.preventDefault();
    close();
  };

  return (
    <dialog
      ref={dialog}
      className={css.dialog}
      data-hanging={isHanging || undefined}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-body`}
      onCancel={onCancel}
      onClose={(event) => isOwn(event) && dialog.current?.showModal()}
      onPointerDown={(event) => (wasPressedOutside.current = isOwn(event))}
      onClick={(event) => isOwn(event) && wasPressedOutside.current && close()}
    >
      <div className={css.sheet} data-size={size}>
        <div className={css.head}>
          <h2 id={`${id}-title`} className={css.title}>
            {title}
          </h2>
          {isClosable && <CloseButton aria-label="Close" onClick={onClose} />}
        </div>
        <div id={`${id}-body`} className={css.body}>
          <HoldOpen.Provider value={setHeld}>
            <ErrorBoundary fallback={<PartFailure />}>{children}</ErrorBoundary>
          </HoldOpen.Provider>
        </div>
      </div>
      <DialogStatusRegion />
    </dialog>
  );
}
