import { describe, expect, it } from '@jest/globals';
import { findObstacle, type Machine } from './missing.ts';

const able: Machine = {
  platform: 'linux-x64',
  root: true,
  system: 'debian',
  kernel: { overlay: true },
  absent: [],
};

describe('a machine for the cluster', () => {
  it('a machine with Debian and root has no obstacle', () => {
    expect(findObstacle(able)).toBeUndefined();
  });

  it.each([
    [{ platform: 'darwin-arm64' }, 'darwin-arm64'],
    [{ root: false }, 'root'],
    [{ system: 'alpine' }, 'alpine'],
    [{ kernel: { overlay: false } }, 'overlay'],
    [{ absent: ['nsenter', 'ip'] }, 'no nsenter, no ip'],
  ])('a machine with %j is refused with the reason', (lack, named) => {
    expect(findObstacle({ ...able, ...lack })).toContain(named);
  });
});
