import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import css from './DialogFrame.module.css';

export interface DialogProps {
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

/** The part of a Dialog that is fetched later. */
export default function DialogFrame({
  isOpen,
  onClose,
  title,
  children,
  size = 'md',
  canClose = true,
  isHanging = false,
}: DialogProps) {
  return (
    <Modal.Root
      opened={isOpen}
      onClose={onClose}
      size={size}
      centered={!isHanging}
      yOffset={isHanging ? '9vh' : '5dvh'}
      classNames={{ content: css.sheet! }}
      transitionProps={{ duration: 120 }}
      // The page's scrollbar stays: without it the page would jump to the side.
      removeScrollProps={{ removeScrollBar: false }}
      closeOnEscape={canClose}
      closeOnClickOutside={canClose}
    >
      <Modal.Overlay bg="var(--backdrop)" />
      {/* A name from the first moment: the title gives its own only once it is there. */}
      <Modal.Content radius="lg" aria-label={title}>
        {/* Not Modal.Header: its `header` would count as a second banner of the page. */}
        <div className={css.head}>
          <Modal.Title className={css.title}>{title}</Modal.Title>
          {canClose && <Modal.CloseButton aria-label="Close" size={44} />}
        </div>
        <Modal.Body className={css.body}>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
