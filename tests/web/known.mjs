// SPDX-License-Identifier: MIT
// Tests that pass natively but not in a browser, each with its reason. The run fails when one of
// them passes, so the list stays true. Those that crash the driver are left out.

/** {test: its full name or the beginning of it with *, driver or profile: if only there, why,
 *   ends: whether it is left out}. */
export const known = [
  ...['Profiles/Edges.HalvesAreRounded/WebGL2', 'Halves.AreRoundedToNearestEven',
      'Profiles/HalfFiles.AreRoundedToTheDTypeThatIsAskedFor/WebGL2'].map((test) => ({
    test, driver: 'swiftshader', profile: 'webgl2',
    why: 'an infinity that is drawn to RGBA16F is NaN there',
  })),
  {test: 'All/LoopOnDevice.IsItsUnrolledForm/scan_readStored', driver: 'swiftshader', ends: true,
   why: 'the unrolled form compiles for minutes, and then the GPU process ends'},
];
