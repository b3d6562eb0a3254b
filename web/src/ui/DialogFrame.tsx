import { Modal } from '@mantine/core';
import type { DialogProps } from './Dialog.tsx';

/** The part of a Dialog that is fetched later. */
export default function DialogFrame({ isOpen, onClose, title, children, size = 'md', canClose = true }: DialogProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={title}
      size={size}
      centered
      radius="lg"
      padding="lg"
      transitionProps={{ duration: 120 }}
      withCloseButton={canClose}
      closeOnEscape={canClose}
      closeOnClickOutside={canClose}
      closeButtonProps={{ 'aria-label': 'Close', size: 'lg' }}
      styles={{ title: { fontSize: '1.25rem', fontWeight: 650, lineHeight: 1.25 } }}
    >
      {children}
    </Modal>
  );
}
