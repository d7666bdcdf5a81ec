/** Things for rent beside the photo service, as the terms name them. */
export const RENTED = {
  cocktails: 'Cocktailmaschinen',
  projectors: 'Beamern',
  tents: 'Partyzelten',
  tables: 'Stehtischen',
  sets: 'Bierzeltgarnituren',
};
export type Rented = keyof typeof RENTED;
