##  make paper-strategies SCALE=full   on graphs nearly of the thesis' sizes (a day); PART=map, PART=79: sections of their own
