import { describe, expect, it } from '@jest/globals';
import { assertHardToGuess } from './password-strength.ts';

describe('a password', () => {
  it.each([
    'aaaaaaaaaaaa',
    '123456789012',
    'passwordpassword',
    'P@ssw0rd1234',
    'qwertyuiop12',
    'x'.repeat(200),
  ])('the password %s is too easy to guess (K11)', async (password) => {
    await expect(assertHardToGuess(password, [])).rejects.toMatchObject({
      code: 'validation_error',
      data: { param: 'password' },
    });
  });

  it("a password made of the user's own address is too easy to guess (K11)", async () => {
    const words = ['casalola-owner', 'example'];
    await expect(assertHardToGuess('casalola-owner1', words)).rejects.toMatchObject({
      code: 'validation_error',
    });
  });

  it.each([
    'correct horse battery',
    'kX9!fj2LqPz3',
    '7'.concat('Zq'.repeat(3), 'vTw8 räksmörgås'),
    '密码学与支付系统的安全设计',
  ])('the password %s is accepted (K11)', async (password) => {
    await expect(assertHardToGuess(password, [])).resolves.toBeUndefined();
  });

  it('a password of 200 characters is judged within a moment (K11)', async () => {
    await assertHardToGuess('warm up this estimator', []);
    const begun = performance.now();
    await assertHardToGuess('&7D\\4]Xy7%(#=8rfb(JLw44&'.repeat(9).slice(0, 200), []);
    expect(performance.now() - begun).toBeLessThan(2_000);
  });
});
