import { describe, expect, it } from '@jest/globals';
import { knownElement, MalformedElement } from './contentkit.js';

const button = { type: 'button', label: 'Go', onPress: { action: 'go', more: [1] } };
const block = (...children: unknown[]) => ({ type: 'block', children });

describe('the element that a script has answered', () => {
  it('is passed on as far as it is known', () => {
    const all = block(
      { type: 'vstack', children: [button, { type: 'divider', size: 'small' }] },
      {
        type: 'text',
        style: 'bold',
        children: ['a ', { type: 'link', target: { url: 'https://a.example' }, children: 'b' }],
      },
      { type: 'input', label: 'Name', hint: 'yours', element: { type: 'textinput', state: 'name' } },
      { type: 'select', state: 'x', options: [{ id: 'a', label: 'A' }] },
      { type: 'card', title: 'T', hint: [{ type: 'text', children: 'h' }], buttons: [button], children: [] },
      { type: 'markdown', content: { $state: 'text' } },
    );
    expect(knownElement(all)).toEqual(all);
    const steps = [{ type: 'step', id: 's', children: [button] }];
    const stepper = { type: 'stepper', activeStep: 's', onStepChange: button.onPress, onComplete: button.onPress };
    const configuration = { type: 'configuration', children: [{ ...stepper, children: steps }] };
    expect(knownElement(configuration)).toEqual(configuration);
    const modal = {
      type: 'modal',
      title: 'T',
      subtitle: [{ type: 'text', children: 's' }],
      children: [],
      submit: button,
    };
    expect(knownElement(modal)).toEqual(modal);
  });

  it('has no elements and no fields that nobody knows', () => {
    const made = block({ type: 'iframe', html: '<b>' }, null, false, 3, { ...button, onclick: 'alert(1)' }, [button]);
    expect(knownElement({ ...made, extra: 1 })).toEqual(block(button, button));
    const nested = { type: 'vstack', children: [{ type: 'block', children: [] }, { type: 'stepper' }] };
    expect(knownElement(block(nested))).toEqual(block({ type: 'vstack', children: [] }));
    expect(knownElement(block({ type: 'input', label: 'x', element: { type: 'other' } }))).toEqual(block());
    expect(knownElement(block({ ...button, style: 'huge' }))).toEqual(block(button));
  });

  it.each([
    [null, 'element.type'],
    [{ type: 'button', onPress: { action: 'x' } }, 'element.type'],
    [block({ type: 'button' }), 'element.children.0.onPress'],
    [block({ type: 'hstack', children: [{ type: 'markdown' }] }), 'element.children.0.children.0.content'],
    [block({ type: 'image', source: { url: 1 }, aspectRatio: 1 }), 'element.children.0.source.url'],
  ])('is refused where it is malformed: %j', (element, path) => {
    const read = () => knownElement(element);
    expect(read).toThrow(MalformedElement);
    expect(read).toThrow(path);
  });

  it('is refused when it is too deep', () => {
    let deep: object = button;
    for (let n = 0; n < 5_000; n += 1) deep = { type: 'box', children: [deep] };
    expect(() => knownElement(block(deep))).toThrow(MalformedElement);
  });
});
