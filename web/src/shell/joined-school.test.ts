// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { startSession, endSession } from '../shared/session.ts';
import { makeUser } from '../testing/make-school.ts';
import { getToasts } from '../ui/toasts.ts';
import { confirmSchool } from './joined-school.ts';

it('a page names the school that its user has just joined, once', () => {
  startSession(makeUser());
  window.history.replaceState(null, '', '/?class=2#joined');
  confirmSchool();
  confirmSchool();
  expect(getToasts().map(({ text }) => text)).toEqual(['You have joined Oak Row']);
  expect(window.location.pathname + window.location.search + window.location.hash).toBe('/?class=2');
  endSession();
});

it('a page names the school to which its user has just switched', () => {
  startSession(makeUser());
  window.history.replaceState(null, '', '/#switched');
  confirmSchool();
  expect(getToasts().map(({ text }) => text)).toEqual(['You have switched to Oak Row']);
  endSession();
});

it('a page says nothing about joining to a guest and without the mark in its address', () => {
  window.history.replaceState(null, '', '/#joined');
  confirmSchool();
  startSession(makeUser());
  window.history.replaceState(null, '', '/#content');
  confirmSchool();
  expect(getToasts()).toEqual([]);
  endSession();
});
