import { crashMatrix, isOfAdapter } from './cells.ts';
import { playWalks } from './play-walks.ts';

playWalks(crashMatrix.filter((walk) => !isOfAdapter(walk)));
