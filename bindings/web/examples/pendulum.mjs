// SPDX-License-Identifier: MIT
// A thousand steps of many pendulums, in one draw.
export async function run(t, print) {
  const count = 1_000_000;
  const start = {angle: t.random.uniform(1, [count], -1, 1), speed: t.zeros([count])};
  const end = t.fori_loop(0, 1000, (i, {angle, speed}) => {
    speed = speed.subtract(angle.sin().multiply(0.01));
    angle = angle.add(speed.multiply(0.01));
    return {angle, speed};
  }, start);
  await t.eval([end.angle, end.speed]);
  const energy = end.speed.square().multiply(0.5).subtract(end.angle.cos());
  print(`the mean energy is ${(await energy.mean().item()).toFixed(4)}`);
}
