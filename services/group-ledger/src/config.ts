import { defineConfig } from '@gp/config';
import { baseConfig } from '@gp/service';

export const config = defineConfig({ ...baseConfig });
