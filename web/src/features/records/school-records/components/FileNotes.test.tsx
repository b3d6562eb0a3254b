// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderInApp } from '../../../../testing/render-in-app.tsx';
import { FileNotes } from './FileNotes.tsx';

it('several notes of a file are one message with a list, also when two are the same', () => {
  renderInApp(<FileNotes notes={['Row 3.', 'Row 4.', 'Row 4.']} />, '/');
  expect(screen.getAllByRole('img', { name: 'Note' })).toHaveLength(1);
  expect(screen.getAllByRole('listitem')).toHaveLength(3);
});
