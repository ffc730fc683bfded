import { expect, it, vi } from 'vitest';
import { Notices, type Offer } from '../../studio/src/core/notices.ts';

function offered(notices: Notices, text: string, bad = false): Offer {
  const offer = { text, bad, remedy: { name: 'Help', hint: 'Help it', act: vi.fn() }, onLost: vi.fn() };
  notices.offer(offer);
  return offer;
}
const texts = ({ offers }: Notices): string[] => offers.value.map(({ text }) => text);

it('drops the oldest of more than three offers; failures stay and do not count', () => {
  const notices = new Notices();
  const bad = offered(notices, 'bad', true);
  const first = offered(notices, 'first');
  for (const text of ['second', 'third']) offered(notices, text);
  expect(texts(notices)).toEqual(['bad', 'first', 'second', 'third']);
  offered(notices, 'fourth');
  offered(notices, 'worse', true);
  expect(texts(notices)).toEqual(['bad', 'second', 'third', 'fourth', 'worse']);
  expect(first.onLost).toHaveBeenCalledOnce();
  expect(bad.onLost).not.toHaveBeenCalled();
});

it('an offer is taken or lost, once', () => {
  const notices = new Notices();
  const [taken, lost] = ['taken', 'lost'].map((text) => offered(notices, text));
  for (const twice of [notices.take, notices.take, notices.drop]) twice.call(notices, taken);
  for (const twice of [notices.drop, notices.drop, notices.take]) twice.call(notices, lost);
  expect([taken.remedy.act, lost.onLost].map((called) => vi.mocked(called!).mock.calls.length)).toEqual([1, 1]);
  expect([lost.remedy.act, taken.onLost].map((called) => vi.mocked(called!).mock.calls.length)).toEqual([0, 0]);
  expect(texts(notices)).toEqual([]);
});
